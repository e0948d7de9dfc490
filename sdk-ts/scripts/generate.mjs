// Makes the generated folders from what the project says elsewhere: the error table, the event schemas, and the server's
// OpenAPI descriptions as its build left them. With --check it only compares.
import { mkdirSync, readFileSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { errorClasses, pythonErrorClasses } from './errors.mjs';
import { declaration } from './schema-types.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const check = process.argv.includes('--check');
const MADE = '// Made by scripts/generate.mjs; do not edit.\n';

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function write(name, text) {
  const path = join(root, 'sdk-ts', name);
  const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (present === text) return;
  if (check) {
    console.error(`${name} is not what the sources say; run: npm run generate -w sdk-ts`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function events() {
  const folder = 'event-schemas/schemas';
  const json = (path) => JSON.parse(read(`${folder}/${path}`));
  const named = {};
  const lines = [];
  for (const file of readdirSync(join(root, folder, 'data')).sort()) {
    const schema = json(`data/${file}`);
    named[schema.$id] = schema.title;
    lines.push(declaration(schema.title, schema, named));
  }
  const envelope = json('envelope.json');
  delete envelope.properties.data;
  lines.push(declaration('EventEnvelope', envelope, named));
  const types = readdirSync(join(root, folder)).filter((file) => /^[a-z]+\.[a-z-]+\.json$/.test(file)).sort();
  lines.push('/** What each type of event carries. */\nexport interface EventDataByType {');
  for (const file of types) {
    const schema = json(file);
    const data = schema.properties.data;
    const base = named[data.$ref];
    const narrowed = [
      ...Object.entries(data.properties ?? {}).map(([key, value]) => `${key}: ${literals(value)}`),
      ...(data.required ?? []).map((key) => `${key}: NonNullable<${base}['${key}']>`),
    ];
    const type = narrowed.length === 0 ? base : `${base} & { ${narrowed.join('; ')} }`;
    lines.push(`  /** ${schema.description} */\n  '${schema.title}': ${type};`);
  }
  lines.push('}\n');
  lines.push('export type EventType = keyof EventDataByType;\n');
  lines.push(
    '/** An event as the stream and webhooks carry it. */\nexport type BivouacEvent = {\n' +
      '  [Type in EventType]: EventEnvelope & { type: Type; data: EventDataByType[Type] };\n}[EventType];\n',
  );
  write('src/generated/events.ts', MADE + '\n' + lines.join('\n'));
}

function literals(schema) {
  return (schema.enum ?? [schema.const]).map((value) => `'${value}'`).join(' | ');
}

/** One for each service whose build has left its description. */
function descriptions() {
  return ['functions', 'sandbox-io', 'sessions', 'terminal-relay', 'webhooks']
    .map((service) => `${service}/target/classes/META-INF/swagger/${service}.yml`)
    .filter((path) => existsSync(join(root, path)))
    .map((path) => parse(read(path)));
}

function api() {
  const found = descriptions();
  if (found.length === 0) {
    console.error('no OpenAPI description found; build the server first');
    process.exitCode = 1;
    return;
  }
  // Shapes that all of them refer to.
  const shared = parse(read('http-doors/src/main/resources/META-INF/swagger/shared.yml'));
  const schemas = Object.assign({}, ...[shared, ...found].map((description) => description.components?.schemas ?? {}));
  const name = (id) => id.replace(/^#\/components\/schemas\//, '').replace(/[^A-Za-z0-9]+(.?)/g, (_, next) => next.toUpperCase());
  const named = Object.fromEntries(Object.keys(schemas).map((id) => [`#/components/schemas/${id}`, name(id)]));
  const declarations = Object.keys(schemas).sort().map((id) => declaration(name(id), schemas[id], named));
  const paths = found.flatMap((description) =>
    Object.entries(description.paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `  | '${method.toUpperCase()} ${path}'`)),
  );
  // Only the check of our types against them needs these.
  write('test/generated/api.ts', `${MADE}\n${declarations.join('\n')}\nexport type Route =\n${paths.sort().join('\n')};\n`);
}

write('src/generated/errors.ts', MADE + errorClasses(read('docs/errors.md')));
write('../sdk-python/src/bivouac/_generated/errors.py', `# Made by sdk-ts/scripts/generate.mjs; do not edit.\n${pythonErrorClasses(read('docs/errors.md'))}`);
events();
api();
