// Shows real programs in a headless xterm three ways and compares what a person would see: in a pseudoterminal of
// this machine, through a sandbox's terminal, and as somebody sees it who comes in the middle and gets the screen.
// Called with the server's address, a key and a sandbox's id; ends with 1 when a screen differs.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COLUMNS, ROWS, Screen } from './screen.mjs'

const [url, key, sandbox] = process.argv.slice(2)
const TEXT = 'i=1; while [ $i -le 200 ]; do echo "line $i with some words and 日本 $i"; i=$((i+1)); done > text'

// Typed to when it is ready, which its screen shows; a key may say as well what is to be seen before the next one.
const PROGRAMS = [
  { name: 'vim', ready: /line 20 /, command: `${TEXT}; exec vim -n -u NONE -N text`, keys: ['50G', 'ihello\x1b', ':set number\r', '10j'] },
  { name: 'less', ready: /line 20 /, command: `${TEXT}; exec less -R text`, keys: ['   ', '/150\r', 'b'] },
  // Keys that come together are taken for pasted text, so the prefix is typed apart.
  { name: 'tmux', ready: /^\$/, command: `echo "set -g default-command 'PS1=$ exec sh'" > tmux.conf; exec tmux -S ./socket -f tmux.conf new-session`, keys: ['echo one\r', '\x02', { type: '%', until: /│\$/ }, 'echo two\r'], besideClock: true },
  { name: 'colours', ready: /reverse/, command: `printf '\\033[1;31mred\\033[0m \\033[48;5;33mblue\\033[0m\\n\\033[7mreverse\\033[0m'; exec cat`, keys: ['typed'] },
  // A size is taken for a window that was made so large.
  { name: 'stty', ready: /^\$/, command: "PS1='$ ' exec sh", keys: ['stty size\r', { columns: 101, rows: 33 }, 'clear; stty size\r'] },
  { name: 'resized vim', ready: /line 20 /, command: `${TEXT}; exec vim -n -u NONE -N text`, keys: ['50G', { columns: 60, rows: 15 }, 'ihello\x1b', '3j'] },
  // What top shows differs from place to place: only the screen of a latecomer can be compared.
  { name: 'top', ready: /PID/, command: 'exec top -d 100', keys: ['M'], onlyLate: true },
]

async function api(method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? null : answer.json()
}

class Remote {
  constructor(address, protocols, query) {
    this.screen = new Screen()
    this.sequence = 0
    this.socket = new WebSocket(address + query, protocols)
    this.socket.binaryType = 'arraybuffer'
    this.opened = new Promise((done, failed) => {
      this.socket.onopen = done
      this.socket.onerror = failed
    })
    this.socket.onmessage = ({ data }) => {
      const frame = new Uint8Array(data)
      if (frame[0] === 1 || frame[0] === 7) this.screen.write(frame.subarray(9))
    }
  }

  type(keys) {
    const bytes = new TextEncoder().encode(keys)
    const frame = new Uint8Array(9 + bytes.length)
    frame[0] = 65
    new DataView(frame.buffer).setBigUint64(1, BigInt(++this.sequence))
    frame.set(bytes, 9)
    this.socket.send(frame)
  }

  resize({ columns, rows }) {
    const size = new TextEncoder().encode(JSON.stringify({ cols: columns, rows }))
    const frame = new Uint8Array(9 + size.length)
    frame[0] = 66
    frame.set(size, 9)
    this.socket.send(frame)
  }

  close() {
    this.socket.close()
  }
}

const LOCAL = `
import os, pty, sys, fcntl, termios, struct, threading
def sized(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
pid, fd = pty.fork()
if pid == 0:
    os.close(3)
    os.environ['TERM'] = 'xterm-256color'
    sized(0, ${COLUMNS}, ${ROWS})
    os.execvp('sh', ['sh', '-c', sys.argv[1]])
def typed():
    while True:
        keys = os.read(0, 4096)
        if not keys: break
        os.write(fd, keys)
    os.kill(pid, 1)
def resized():
    for line in os.fdopen(3):
        sized(fd, *map(int, line.split()))
threading.Thread(target=typed, daemon=True).start()
threading.Thread(target=resized, daemon=True).start()
while True:
    try: data = os.read(fd, 65536)
    except OSError: break
    if not data: break
    os.write(1, data)
`

class Local {
  constructor(command) {
    this.screen = new Screen()
    this.folder = mkdtempSync(join(tmpdir(), 'bivouac-xterm-'))
    const env = { PATH: process.env.PATH, HOME: this.folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
    this.program = spawn('python3', ['-c', LOCAL, command], { cwd: this.folder, env, stdio: ['pipe', 'pipe', 'inherit', 'pipe'] })
    this.program.stdout.on('data', (data) => this.screen.write(data))
    this.opened = Promise.resolve()
  }

  type(keys) {
    this.program.stdin.write(keys)
  }

  resize({ columns, rows }) {
    this.program.stdio[3].write(`${columns} ${rows}\n`)
  }

  async close() {
    const ended = new Promise((done) => this.program.once('close', done))
    this.program.stdin.end()
    await ended
    // Its server outlives the client that was hung up on.
    spawnSync('tmux', ['-S', join(this.folder, 'socket'), 'kill-server'])
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function play(place, ready, keys) {
  await place.opened
  await place.screen.shows(ready)
  for (const key of keys) {
    if (key.columns) {
      place.screen.terminal.resize(key.columns, key.rows)
      place.resize(key)
    } else {
      place.type(key.type ?? key)
    }
    place.screen.changed = Date.now()
    await place.screen.shows(key.until ?? /^/)
  }
}

function compare(name, what, one, other) {
  const same = one === other
  console.log(`${same ? 'same' : 'DIFFERENT'}  ${name}: ${what}`)
  if (!same) console.log(one, other)
  return same
}

let good = true
for (const { name, ready, command, keys, onlyLate, besideClock } of PROGRAMS) {
  const pty = await api('POST', `/api/v1/sandboxes/${sandbox}/pty`, {
    cols: COLUMNS, rows: ROWS, command, cwd: '/tmp', envs: { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', HOME: '/tmp' },
  })
  const remote = new Remote(pty.websocketUrl, pty.protocols, '')
  await play(remote, ready, keys)
  const path = `/api/v1/sandboxes/${sandbox}/pty/${pty.id}`
  const late = new Remote(pty.websocketUrl, (await api('POST', `${path}/ticket`)).protocols, '?role=viewer')
  late.screen.terminal.resize(remote.screen.terminal.cols, remote.screen.terminal.rows)
  await play(late, /\S/, [])
  good &= compare(name, 'a latecomer sees the same', remote.screen.picture(), late.screen.picture())
  if (!onlyLate) {
    const local = new Local(command)
    await play(local, ready, keys)
    // tmux's last line has the host's name and the time.
    good &= compare(name, 'as in a terminal of this machine', local.screen.picture(besideClock), remote.screen.picture(besideClock))
    await local.close()
  }
  await api('DELETE', path)
  remote.close()
  late.close()
}
process.exit(good ? 0 : 1)
