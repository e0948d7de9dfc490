import type { Command } from '../command.js';

export const auditVerify: Command = {
  name: 'audit verify',
  usage: '',
  summary: "Check that the project's audit is whole",
  examples: ['bivouac audit verify', 'bivouac audit verify --json'],
  async run(context) {
    const { audit } = context.client();
    const verdict = await audit.verify({ signal: context.signal });
    let rows = 0;
    let broken = verdict.firstBroken ?? undefined;
    let previous: string | undefined;
    // The server's word is one thing; that each row names the hash of the one before can be seen from here.
    for await (const row of audit.list({ limit: 500 }, { signal: context.signal })) {
      rows++;
      if (previous !== undefined && row.hash !== previous) broken = Math.min(broken ?? Infinity, row.sequence + 1);
      previous = row.previous;
    }
    const intact = verdict.intact && broken === undefined;
    context.output.value({ intact, rows, ...(broken === undefined ? {} : { firstBroken: broken }) }, () =>
      context.output.line(intact ? `The audit is intact: ${rows} rows.` : `The audit is broken at row ${broken}.`),
    );
    return intact ? 0 : 1;
  },
};
