import { ending } from './ending.js';
import { main } from './main.js';

const code = await main(process.argv.slice(2), ending());
// Connections that are kept for later requests must not keep the program alive; what was printed must get out.
process.exitCode = code;
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
