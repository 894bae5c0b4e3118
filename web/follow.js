// follow: receives the events of a tournament, and fetches the whole tournament again when events were missed.
import {DemoFollower} from './demo.js';
import {eventsAddress, fetchTournament} from './tournaments.js';

const REFRESH_MS = 300;
const RETRY_MS = 3000;

export const follow = (tournament, listener) => (tournament.isRecorded ? new DemoFollower(tournament, listener) : new Follower(tournament, listener));

class Follower {
  // listener: begin(tournament) shows everything anew, show(tournament) its tables; receive(event); showNotice(text), which may be ''.
  constructor(tournament, listener) {
    this.listener = listener;
    this.isConnected = true;
    this.begin(tournament);
  }

  begin(tournament) {
    this.tournament = tournament;
    this.isOutdated = false;
    this.listener.begin(tournament);
    this.showNotice();
    this.listen(tournament.event);
  }

  listen(after) {
    this.source?.close();
    this.source = new EventSource(eventsAddress(this.tournament.id, after));
    this.source.onmessage = ({data}) => this.receive(JSON.parse(data));
    this.source.onopen = () => this.setConnected(true);
    this.source.onerror = () => this.onDisconnect();
    this.source.addEventListener('reset', () => this.restart());
    this.source.addEventListener('beat', ({data}) => {
      if (JSON.parse(data).attended !== this.tournament.attended) this.refreshSoon();
    });
  }

  setConnected(isConnected) {
    this.isConnected = isConnected;
    this.showNotice();
  }

  showNotice() {
    const isLeft = !this.tournament.attended && !this.tournament.over;
    this.listener.showNotice(!this.isConnected ? 'The arena does not answer. The page may be out of date; trying again…'
      : this.isOutdated ? 'The arena does not send the tables. They may be out of date; trying again…'
      : isLeft ? 'This tournament is not being played at the moment. plum tournament resume continues it.' : '');
  }

  receive(event) {
    this.listener.receive(event);
    if (event.kind !== 'ply') this.refreshSoon();
  }

  // A browser connects again by itself after a lost connection, but not after a refusal.
  onDisconnect() {
    this.setConnected(false);
    if (this.source.readyState === EventSource.CLOSED) this.restartSoon();
  }

  restartSoon() {
    if (!this.isClosed) this.retryTimer ||= setTimeout(() => this.restart(), RETRY_MS);
  }

  // The next event of the stream must follow the last one of the tournament that was fetched.
  async restart() {
    clearTimeout(this.retryTimer);
    this.retryTimer = 0;
    this.source.close();
    const tournament = await this.fetchNow();
    if (this.isClosed) return;
    if (tournament) this.begin(tournament);
    else this.onDisconnect();
  }

  fetchNow() {
    return fetchTournament(this.tournament.id).catch(() => null);
  }

  // The server may refuse this and still send events: then the boards move, and the tables do not.
  refreshSoon(ms = REFRESH_MS) {
    this.refreshTimer ||= setTimeout(async () => {
      this.refreshTimer = 0;
      const tournament = await this.fetchNow();
      if (this.isClosed) return;
      this.isOutdated = !tournament;
      if (!tournament) {
        this.refreshSoon(RETRY_MS);
      } else if (tournament.event >= this.tournament.event) { // else the answer to a later request came first
        this.tournament = tournament;
        this.listener.show(tournament);
      }
      this.showNotice();
    }, ms);
  }

  close() {
    this.isClosed = true;
    this.source.close();
    clearTimeout(this.refreshTimer);
    clearTimeout(this.retryTimer);
  }
}
