// A headless xterm, and what a person would see in it.
import xterm from '@xterm/headless'

export const COLUMNS = 80
export const ROWS = 24
const QUIET_MILLIS = 700
const LONGEST_MILLIS = 30_000

export class Screen {
  constructor() {
    this.terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, scrollback: 0 })
    this.changed = Date.now()
  }

  write(bytes) {
    this.changed = Date.now()
    this.terminal.write(bytes)
  }

  async settled() {
    const deadline = Date.now() + LONGEST_MILLIS
    do {
      await new Promise((done) => setTimeout(done, 50))
    } while (Date.now() - this.changed < QUIET_MILLIS && Date.now() < deadline)
    await new Promise((done) => this.terminal.write('', done))
  }

  // Until this is to be seen and nothing moves any more.
  async shows(text) {
    const deadline = Date.now() + LONGEST_MILLIS
    do {
      await this.settled()
    } while (!text.test(JSON.parse(this.picture()).lines.join('\n')) && Date.now() < deadline)
  }

  // Every cell, how those look that are not plain, the cursor and which buffer is shown.
  picture(withoutLastLine) {
    const buffer = this.terminal.buffer.active
    const { cols, rows } = this.terminal
    const lines = []
    const looks = []
    for (let row = 0; row < rows - (withoutLastLine ? 1 : 0); row++) {
      const line = buffer.getLine(buffer.baseY + row)
      let text = ''
      for (let column = 0; column < cols; column++) {
        const cell = line.getCell(column)
        text += cell.getChars() || (cell.getWidth() ? ' ' : '')
        const look = lookOf(cell)
        if (look) looks.push(`${row},${column}: ${look}`)
      }
      lines.push(text.trimEnd())
    }
    return JSON.stringify({ lines, looks, cursor: [buffer.cursorX, buffer.cursorY], buffer: buffer.type }, null, 1)
  }
}

function lookOf(cell) {
  const parts = [
    cell.isFgDefault() ? '' : `foreground ${cell.getFgColorMode()}/${cell.getFgColor()}`,
    cell.isBgDefault() ? '' : `background ${cell.getBgColorMode()}/${cell.getBgColor()}`,
    cell.isBold() && 'bold',
    cell.isDim() && 'dim',
    cell.isItalic() && 'italic',
    cell.isUnderline() && 'underlined',
    cell.isInverse() && 'inverse',
  ]
  return parts.filter(Boolean).join(' ')
}
