// route: shows what the address names: a game, a team, or the overview. So links can be shared, and back and forward work.

let overviewScroll = 0;

const viewAddress = () => (teamView.id === null ? "#games" : teamAddress(teamView.id, teamView.against));

function decode(word) {
  try {
    return word === undefined ? undefined : decodeURIComponent(word);
  } catch {
    return word; // a lone % in an address that was typed
  }
}

// A game opens over the view that is shown.
async function followGame(number, at) {
  const address = location.hash;
  const game = await loadGame(number);
  if (location.hash !== address) return; // another one was chosen while it was loaded
  if (game.result) open(game, at);
  else warn(`Game ${number} has not been played.`);
}

function showView(isTeam) {
  $("overview").hidden = isTeam;
  $("facts").hidden = isTeam;
  $("team").hidden = !isTeam;
}

async function followTeam(id, against) {
  if (teamView.id === null) overviewScroll = window.scrollY;
  showView(true);
  if (teamView.id !== id || teamView.against !== against) await showTeam(id, against);
}

function followSection(id) {
  const wasTeam = teamView.id !== null;
  teamView.id = null;
  teamView.games = [];
  showView(false);
  document.title = data.name;
  if (!wasTeam) return;
  if ($(id)) $(id).scrollIntoView();
  else window.scrollTo(0, overviewScroll);
}

function followAddress() {
  const game = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
  const team = /^#team-([^/]+)(?:\/(.+))?$/.exec(location.hash);
  warn("");
  if (game) return attempt(() => followGame(Number(game[1]), Number(game[2] ?? 0)));
  if (dialog.open) dialog.close();
  if (team) return attempt(() => followTeam(...team.slice(1, 3).map(decode)));
  return followSection(location.hash.slice(1));
}

window.addEventListener("hashchange", followAddress);
followAddress();
