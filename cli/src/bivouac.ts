import { main } from './main.js';

// A reader that has seen enough (bivouac … | head) is no error.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  if (failure.code === 'EPIPE') process.exit(0);
  throw failure;
});

const code = await main(process.argv.slice(2));
// Connections that are kept for later requests must not keep the program alive; what was printed must get out.
process.exitCode = code;
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
