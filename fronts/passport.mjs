// Writes docs/compatibility.md from the reports of the tests that drive other platforms' packages. Called by scripts/passport.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const lock = JSON.parse(readFileSync(join(here, '../package-lock.json'), 'utf8'));
const python = readFileSync(join(here, 'python/requirements.lock'), 'utf8');
const packages = JSON.parse(readFileSync(join(here, 'packages.json'), 'utf8'));

/** The cases of a report: their file and whether they passed. */
function cases(file) {
  if (!existsSync(file)) return [];
  const found = readFileSync(file, 'utf8').matchAll(/<testcase\b([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g);
  return [...found].map(([, attributes, , body = '']) => ({
    of: /\bclassname="([^"]*)"/.exec(attributes)?.[1] ?? '',
    passed: !/<(failure|error|skipped)\b/.test(body),
  }));
}

function version({ registry, name }) {
  return registry === 'npm' ? lock.packages[`node_modules/${name}`]?.version : new RegExp(`^${name}==(\\S+)`, 'm').exec(python)?.[1];
}

const reports = { npm: cases(join(here, 'target/npm.xml')), PyPI: cases(join(here, 'python/target/pytest-reports/TEST-fronts.xml')) };
const rows = packages.map((one) => {
  const run = reports[one.registry].filter(({ of }) => of.includes(one.tests));
  const passed = run.filter((test) => test.passed).length;
  const checks = one.tests === '' ? '–' : `${passed} of ${run.length}`;
  return `| ${one.registry} \`${one.name}\` | ${version(one) ?? '–'} | ${checks} | ${one.missing} |`;
});
const page = `# Compatibility

Packages of other platforms, unmodified, as they come from their registries, against a fresh server. \`./gradlew passport\` runs the checks and writes this page; the same checks are part of \`./gradlew test\`. Last written on ${new Date().toISOString().slice(0, 10)}.

| package | version | checks passed | what is missing, and why |
|---|---|---|---|
${rows.join('\n')}

What works in detail, and what differs: [coming-from-e2b.md](coming-from-e2b.md), [coming-from-opensandbox.md](coming-from-opensandbox.md), [mcp.md](mcp.md).
`;
writeFileSync(join(here, '../docs/compatibility.md'), page);
