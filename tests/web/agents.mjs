// agents: small programs for tests, one for each protocol and each kind of trouble, written into a folder.
import {chmodSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

// tcp: places on the first empty square that turns something over, or on any in the middle.
const TCP = `import socket, struct, sys
def take(s, n):
    data = b''
    while len(data) < n:
        part = s.recv(n - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data
def turns(cells, r, c, own):
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            y, x, seen = r + dr, c + dc, 0
            while (dr or dc) and 0 <= y < 8 and 0 <= x < 8 and cells[y * 8 + x] == 3 - own:
                y, x, seen = y + dr, x + dc, seen + 1
            if seen and 0 <= y < 8 and 0 <= x < 8 and cells[y * 8 + x] == own:
                return True
    return False
s = socket.create_connection(('localhost', 8888))
s.sendall(struct.pack('<i', 7))
print('<b>connected</b>', file=sys.stderr, flush=True)
while True:
    code, number = struct.unpack('<2i', take(s, 8))
    if code == 0:
        break
    cells = struct.unpack('<64i', take(s, 256))
    own = 1 if struct.unpack('<i', take(s, 4))[0] else 2
    free = [(r, c) for r in range(8) for c in range(8) if cells[r * 8 + c] == 0]
    good = [f for f in free if turns(cells, f[0], f[1], own)] or [f for f in free if 2 <= f[0] <= 5 and 2 <= f[1] <= 5] or free
    s.sendall(struct.pack('<4i', 1, number, *good[0]))
`;

// file: steps with the first man that can step, in any direction.
const FILE = `import os, time
done = 0
while True:
    try:
        words = open('state_7.txt').read().split()
    except OSError:
        words = []
    if words[-1:] != ['end'] or int(words[1]) == done:
        time.sleep(0.01)
        continue
    done = int(words[1])
    if done == 0:
        break
    own, cells = int(words[3]), [int(w) for w in words[5:69]]
    steps = [(r, c, r + a, c + b) for r in range(8) for c in range(8) if cells[r * 8 + c] == own
             for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)) if 0 <= r + a < 8 and 0 <= c + b < 8 and cells[(r + a) * 8 + c + b] == 0]
    with open('move.tmp', 'w') as out:
        out.write('move %d\\n%d %d\\n%d %d\\nend\\n' % ((done,) + steps[0]))
    os.rename('move.tmp', 'move_7.txt')
`;

// template: bids, then prints a move that is not one: the judge plays for it.
const TEMPLATE = `print('My bid:  1 3')
colour, price = int(input()), int(input())
print('My move : [0, 0, 0, 0]')
while True:
    input('Enter the move : ')
    print('My move : [0, 0, 0, 0]')
`;

// ugi: knows one move.
const UGI = `import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ''
    if word == 'quit':
        break
    answer = {'ugi': 'id name one\\nugiok', 'isready': 'readyok', 'go': 'bestmove 23', 'query': 'response 0 5'}.get(word)
    if answer:
        print(answer, flush=True)
    print('got', line.strip(), file=sys.stderr, flush=True)
`;

const TROUBLE = {
  forks: 'import os, time\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(1)\n',
  hangs: 'import time\nprint("hello", flush=True)\ntime.sleep(1000)\n',
  floods: 'import sys\nwhile True:\n    sys.stderr.write("<img src=x onerror=alert(1)>" * 100)\n',
  crashes: 'import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n    if word == "go":\n        sys.exit("no idea")\n    print({"ugi": "id name one\\nugiok", "isready": "readyok"}.get(word, ""), flush=True)\n',
  leaves: 'import sys\nsys.exit("no")\n',
};

// {folder, args}: --agent for each of them, in this order.
export function makeAgents(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'plum-agents-'));
  chmodSync(folder, 0o755); // without namespaces the agents of root need to enter it
  const texts = {tcp: TCP, file: FILE, template: TEMPLATE, ugi: UGI, ...TROUBLE};
  const program = (name) => {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o755);
    const path = join(name, 'agent.py');
    writeFileSync(join(folder, path), texts[name], {mode: 0o644});
    chmodSync(join(folder, path), 0o644);
    return `python3 ${path}`;
  };
  const specOf = (name) => {
    if (name === 'random') return 'random:seed=1';
    if (name === 'tcp' || name === 'file') return `${name}:7:${program(name)}`;
    return name === 'template' ? `template:${program(name)}` : `ugi:${program(name)}`;
  };
  return {folder, args: names.flatMap((name) => ['--agent', `<i>${name}</i>=${specOf(name)}`])};
}
