// Runs JavaScript and TypeScript for the agent, which says by descriptor 3 what to run and hears there how it went.
//
// Each message is one line of JSON. Code is changed before it runs, so that it may wait at the top level and declare a
// name again: declarations of the top level become variables of the global object.
'use strict';
(() => {
  const fs = require('fs');
  const net = require('net');
  const util = require('util');
  const vm = require('vm');
  const path = require('path');
  const module_ = require('module');
  const acorn = require('internal/deps/acorn/acorn/dist/acorn');
  const walk = require('internal/deps/acorn/acorn-walk/dist/walk');

  const LARGEST_FORM = 6 * 1024 * 1024;
  const LARGEST_JSON = 1024 * 1024;
  const typescript = process.argv.includes('typescript');
  const home = process.cwd() + path.sep;
  const require_ = module_.createRequire(home);
  const control = new net.Socket({ fd: 3, readable: true, writable: true });

  const say = (message) => control.write(JSON.stringify(message) + '\n');

  // ---- no standard input ---------------------------------------------------------------------------

  Object.defineProperty(process, 'stdin', {
    configurable: true,
    get() {
      throw new Error('code that is run here has no standard input; pass values in the code, as variables or as files');
    },
  });

  // ---- what a value is shown as ---------------------------------------------------------------------

  const isPlain = (value) =>
    Array.isArray(value) || (value !== null && typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value)));

  function formsOf(value) {
    const forms = { 'text/plain': typeof value === 'string' ? value : util.inspect(value, { depth: 4, maxArrayLength: 200 }) };
    if (value !== null && typeof value === 'object' && typeof value.toMimeBundle === 'function') Object.assign(forms, value.toMimeBundle());
    if (isPlain(value)) {
      try {
        const text = JSON.stringify(value);
        if (text !== undefined && text.length <= LARGEST_JSON) forms['application/json'] = JSON.parse(text);
      } catch {
        // Not every object is JSON.
      }
    }
    return forms;
  }

  function send(forms, main) {
    const kept = {};
    for (const [type, data] of Object.entries(forms)) {
      const form = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : data;
      const size = typeof form === 'string' ? form.length : JSON.stringify(form).length;
      if (size <= LARGEST_FORM) kept[type] = form;
      else process.stderr.write(`The result's ${type} is larger than ${LARGEST_FORM} bytes and is left out.\n`);
    }
    say({ type: 'result', result: { main, mimeBundle: kept } });
  }

  /** Shows a value, or forms by media type, as a result. */
  globalThis.display = (value) => {
    const isBundle = isPlain(value) && !Array.isArray(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^[a-z]+\/[\w.+-]+$/.test(key));
    send(isBundle ? value : formsOf(value), false);
  };

  // ---- from code to a script ------------------------------------------------------------------------

  function namesOf(pattern, found) {
    switch (pattern?.type) {
      case 'Identifier':
        found.push(pattern.name);
        break;
      case 'ObjectPattern':
        for (const property of pattern.properties) namesOf(property.value ?? property.argument, found);
        break;
      case 'ArrayPattern':
        for (const element of pattern.elements) namesOf(element, found);
        break;
      case 'AssignmentPattern':
        namesOf(pattern.left, found);
        break;
      case 'RestElement':
        namesOf(pattern.argument, found);
        break;
    }
    return found;
  }

  function awaits(tree) {
    let found = false;
    const skip = () => {};
    const outer = { ...walk.base, Function: skip, FunctionDeclaration: skip, FunctionExpression: skip, ArrowFunctionExpression: skip, PropertyDefinition: skip, StaticBlock: skip };
    walk.simple(tree, {
      AwaitExpression() { found = true; },
      ForOfStatement(node) { found ||= node.await; },
      ImportDeclaration() { found = true; },
    }, outer);
    return found;
  }

  function imported(node, text, names) {
    const source = `await import(${node.source.raw})`;
    const parts = [];
    const listed = [];
    for (const specifier of node.specifiers) {
      const local = specifier.local.name;
      names.push(local);
      if (specifier.type === 'ImportNamespaceSpecifier') parts.push(`${local} = ${source}`);
      else if (specifier.type === 'ImportDefaultSpecifier') listed.push(`default: ${local}`);
      else listed.push(`${text(specifier.imported)}: ${local}`);
    }
    if (listed.length) parts.push(`({ ${listed.join(', ')} } = ${source})`);
    return `void (${parts.length ? parts.join(', ') : source});`;
  }

  /** Gives the script, and whether its value is a promise of the last value. */
  function scriptOf(code) {
    const options = { ecmaVersion: 'latest', allowAwaitOutsideFunction: true, allowHashBang: true, allowReturnOutsideFunction: false };
    let tree;
    try {
      tree = acorn.parse(code, { ...options, sourceType: 'script' });
    } catch (asScript) {
      try {
        tree = acorn.parse(code, { ...options, sourceType: 'module' });
      } catch {
        // The engine's own message is the better one, unless it is no error to the engine.
        new vm.Script(code, { filename: 'run' });
        throw asScript;
      }
    }
    const text = (node) => code.slice(node.start, node.end);
    const later = awaits(tree);
    const names = [];
    const functions = [];
    let out = '';
    let at = 0;
    const put = (node, replacement) => {
      out += code.slice(at, node.start) + replacement;
      at = node.end;
    };
    const last = tree.body.at(-1);
    for (let node of tree.body) {
      if (node.type === 'ExportNamedDeclaration' && node.declaration) node = node.declaration;
      if (node.type === 'ImportDeclaration') {
        put(node, imported(node, text, names));
      } else if (node.type === 'VariableDeclaration') {
        const assigned = [];
        for (const { id, init } of node.declarations) {
          namesOf(id, names);
          if (init || node.kind !== 'var') {
            const value = init ? text(init) : 'undefined';
            assigned.push(id.type === 'Identifier' ? `${id.name} = ${value}` : `(${text(id)} = ${value})`);
          }
        }
        put(node, assigned.length ? `void (${assigned.join(', ')});` : ';');
      } else if (node.type === 'ClassDeclaration') {
        names.push(node.id.name);
        put(node, `void (${node.id.name} = ${text(node)});`);
      } else if (node.type === 'FunctionDeclaration' && later) {
        functions.push(text(node));
        put(node, '');
      } else if (node === last && node.type === 'ExpressionStatement' && later) {
        put(node, `return { value: (${text(node.expression)}) };`);
      }
    }
    out += code.slice(at);
    const declared = names.length ? `var ${[...new Set(names)].join(', ')}; ` : '';
    if (!later) return { text: declared + out, later, hasValue: last?.type === 'ExpressionStatement' };
    return { text: `${functions.join('\n')}${declared}(async () => { ${out}\n})()`, later, hasValue: true };
  }

  // ---- TypeScript -----------------------------------------------------------------------------------

  function compiler() {
    const folders = ['/usr/local/lib/node_modules', '/usr/lib/node_modules', ...(process.env.NODE_PATH ?? '').split(':')];
    for (const folder of [home + 'node_modules', ...folders].filter(Boolean)) {
      try {
        const ts = require_(path.join(folder, 'typescript'));
        return (code) => {
          const made = ts.transpileModule(code, {
            reportDiagnostics: true,
            compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleDetection: 2, verbatimModuleSyntax: false },
          });
          const wrong = made.diagnostics?.find((diagnostic) => diagnostic.category === ts.DiagnosticCategory.Error);
          if (wrong) throw new SyntaxError(ts.flattenDiagnosticMessageText(wrong.messageText, '\n'));
          return made.outputText.replace(/^export \{\};\s*$/m, '').replace(/^"use strict";\s*/, '');
        };
      } catch (missing) {
        if (missing instanceof SyntaxError || missing.code !== 'MODULE_NOT_FOUND') throw missing;
      }
    }
    const strip = module_.stripTypeScriptTypes;
    return strip ? (code) => strip(code, { mode: 'transform' }) : undefined;
  }

  let translate = (code) => code;

  // ---- running --------------------------------------------------------------------------------------

  class Interrupted extends Error {
    constructor() {
      super('The run was interrupted.');
      this.name = 'Interrupted';
      this.stack = 'Interrupted: The run was interrupted.';
    }
  }

  let interrupt = () => {};
  process.on('SIGINT', () => interrupt());

  const loader = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;

  async function evaluate(code, name) {
    const script = scriptOf(translate(code));
    const made = new vm.Script(script.text, { filename: name, ...(loader ? { importModuleDynamically: loader } : {}) });
    const interrupted = new Promise((_, reject) => {
      interrupt = () => reject(new Interrupted());
    });
    interrupted.catch(() => {});
    let value;
    try {
      value = made.runInThisContext({ breakOnSigint: true, displayErrors: false });
    } catch (error) {
      throw error?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED' ? new Interrupted() : error;
    }
    if (script.later) value = (await Promise.race([value, interrupted]))?.value;
    else if (!script.hasValue) value = undefined;
    else if (util.types.isPromise(value)) value = await Promise.race([value, interrupted]);
    return value;
  }

  function report(error) {
    if (error instanceof Error || util.types.isNativeError(error)) {
      const own = (line) => /node:|\[eval\]|kernel\.js/.test(line) && /^\s+at /.test(line);
      const trace = String(error.stack ?? error).split('\n').filter((line) => !own(line)).join('\n');
      say({ type: 'error', name: String(error.name), value: String(error.message), traceback: trace });
    } else {
      const text = util.inspect(error);
      say({ type: 'error', name: 'Thrown', value: text, traceback: `Uncaught ${text}` });
    }
  }

  async function run({ code, env = {} }, count) {
    const before = {};
    for (const [name, value] of Object.entries(env)) {
      before[name] = process.env[name];
      process.env[name] = value;
    }
    let ok = false;
    try {
      const value = await evaluate(code, `run-${count}`);
      if (value !== undefined) {
        globalThis._ = value;
        send(formsOf(value), true);
      }
      ok = true;
    } catch (error) {
      report(error);
    }
    interrupt = () => {};
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    say({ type: 'done', ok });
  }

  const late = (error) => process.stderr.write(`Uncaught ${util.inspect(error)}\n`);
  process.on('uncaughtException', late);
  process.on('unhandledRejection', late);

  for (const name of module_.builtinModules.filter((name) => !name.startsWith('_') && !name.includes('/') && !(name in globalThis))) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        const value = require_(name);
        Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
        return value;
      },
      set(value) {
        Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
      },
    });
  }
  Object.assign(globalThis, { require: require_, module: { exports: {} }, exports: {}, __dirname: process.cwd(), __filename: home + 'run' });

  if (typescript) {
    const found = compiler();
    if (!found) {
      say({ type: 'missing', what: 'typescript' });
      control.end(() => process.exit(1));
      return;
    }
    translate = found;
  }

  let rest = '';
  let count = 0;
  let runs = Promise.resolve();
  control.setEncoding('utf8');
  control.on('data', (piece) => {
    rest += piece;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const message = JSON.parse(rest.slice(0, end));
      rest = rest.slice(end + 1);
      runs = runs.then(() => run(message, ++count));
    }
  });
  control.on('end', () => process.exit(0));
  say({ type: 'ready' });
})();
