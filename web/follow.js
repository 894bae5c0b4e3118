// follow: hears what happens in a tournament, and looks at the whole of it when something was missed.
import {eventsAddress, fetchScene} from './tournaments.js';

const REFRESH_MS = 300;
const RETRY_MS = 3000;

export class Follower {
  // listener: begin(scene) when everything is to be shown anew, show(scene) when its tables have
  // changed, hear(event), tell(notice), which may be ''.
  constructor(scene, listener) {
    this.listener = listener;
    this.isInTouch = true;
    this.begin(scene);
  }

  begin(scene) {
    this.scene = scene;
    this.isBehind = false;
    this.listener.begin(scene);
    this.tell();
    this.listen(scene.event);
  }

  listen(after) {
    this.source?.close();
    this.source = new EventSource(eventsAddress(this.scene.id, after));
    this.source.onmessage = ({data}) => this.hear(JSON.parse(data));
    this.source.onopen = () => this.setTouch(true);
    this.source.onerror = () => this.loseTouch();
    this.source.addEventListener('reset', () => this.beginAgain());
    this.source.addEventListener('beat', ({data}) => {
      if (JSON.parse(data).attended !== this.scene.attended) this.lookSoon();
    });
  }

  setTouch(isInTouch) {
    this.isInTouch = isInTouch;
    this.tell();
  }

  tell() {
    const isLeft = !this.scene.attended && !this.scene.over;
    this.listener.tell(!this.isInTouch ? 'The arena does not answer. This is how it stood; trying again…'
      : this.isBehind ? 'The arena does not say how it stands now. The tables show how it stood; trying again…'
      : isLeft ? 'Nobody is playing this tournament at the moment. It goes on with plum tournament resume.' : '');
  }

  hear(event) {
    this.listener.hear(event);
    if (event.kind !== 'ply') this.lookSoon();
  }

  // A browser comes back by itself after a lost connection, but not after a refusal.
  loseTouch() {
    this.setTouch(false);
    if (this.source.readyState === EventSource.CLOSED) this.beginAgainSoon();
  }

  beginAgainSoon() {
    if (!this.isClosed) this.retry ||= setTimeout(() => this.beginAgain(), RETRY_MS);
  }

  // What the stream tells next must continue what the whole looks like.
  async beginAgain() {
    clearTimeout(this.retry);
    this.retry = 0;
    this.source.close();
    const scene = await this.fetchWhole();
    if (this.isClosed) return;
    if (scene) this.begin(scene);
    else this.loseTouch();
  }

  fetchWhole() {
    return fetchScene(this.scene.id).catch(() => null);
  }

  // The stream may go on where this is refused: then the boards move, and the tables do not.
  lookSoon(ms = REFRESH_MS) {
    this.look ||= setTimeout(async () => {
      this.look = 0;
      const scene = await this.fetchWhole();
      if (this.isClosed) return;
      this.isBehind = !scene;
      if (!scene) {
        this.lookSoon(RETRY_MS);
      } else if (scene.event >= this.scene.event) { // else one that was asked for later came first
        this.scene = scene;
        this.listener.show(scene);
      }
      this.tell();
    }, ms);
  }

  close() {
    this.isClosed = true;
    this.source.close();
    clearTimeout(this.look);
    clearTimeout(this.retry);
  }
}
