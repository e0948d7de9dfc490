// Prints the picture that a terminal's output leaves on the screen; the output comes by standard input.
import { readFileSync } from 'node:fs'
import { Screen } from './screen.mjs'

const screen = new Screen()
screen.terminal.write(readFileSync(0), () => console.log(screen.picture()))
