import type { CodeCallbacks, CodeExit, CodeFailure, CodeParams, CodeResult, Sandbox } from '@bivouac/sdk';
import type { Output } from '../output.js';
import type { Pictures } from './pictures.js';

/** Escape sequences that only set colours, as interpreters put into traces. */
// eslint-disable-next-line no-control-regex
const COLOUR = /\u001b\[[0-9;]*m/g;

/** As `timeout` of the shell has it. */
const TIMED_OUT = 124;

/** Runs code and shows what it tells as it comes, as the interpreter itself would. */
export async function show(sandbox: Sandbox, code: string, params: CodeParams & CodeCallbacks, output: Output, pictures: Pictures): Promise<CodeExit> {
  const { exit } = await sandbox.code.run(code, {
    ...params,
    onStdout: (text) => written(process.stdout, text),
    onStderr: (text) => written(process.stderr, text),
    onResult: (result) => showResult(result, output, pictures),
    onError: (failure) => showFailure(failure, output),
  });
  if (exit.timedOut) output.note('[it took longer than --timeout allows and was interrupted]');
  if (exit.session === 'lost') output.note('[the interpreter had to be ended: its variables are gone]');
  return exit;
}

export function exitCode(exit: CodeExit): number {
  if (exit.timedOut) return TIMED_OUT;
  return exit.ok ? 0 : 1;
}

async function showResult(result: CodeResult, output: Output, pictures: Pictures): Promise<void> {
  const saved = await pictures.save(result);
  if (saved !== undefined) output.line(saved);
  else output.line(result.text ?? result.markdown ?? `[${result.types.join(', ')}]`);
}

function showFailure(failure: CodeFailure, output: Output): void {
  const trace = failure.traceback === '' ? `${failure.name}: ${failure.value}` : failure.traceback;
  output.note(process.stderr.isTTY ? trace.trimEnd() : trace.trimEnd().replace(COLOUR, ''));
}

function written(to: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => to.write(text, (failure) => (failure ? reject(failure) : resolve())));
}
