import { account, forget, logins, use } from '../account.js';
import { word, type Command } from '../command.js';

export const contextList: Command = {
  name: 'context list',
  usage: '',
  summary: 'List the servers that you are logged in to',
  examples: ['bivouac context list'],
  run(context) {
    const present = account({}).context;
    const all = logins().map(({ name, url }) => ({ name, url, current: name === present }));
    context.output.value(all, () =>
      context.output.table(
        ['', 'NAME', 'URL'],
        all.map(({ name, url, current }) => [current ? '*' : '', name, url]),
        { empty: 'You are not logged in. Log in with: bivouac login URL' },
      ),
    );
    return Promise.resolve(0);
  },
};

export const contextUse: Command = {
  name: 'context use',
  usage: 'NAME',
  summary: 'Send later commands to this server',
  completes: 'context',
  examples: ['bivouac context use local'],
  run(context) {
    const { name, url } = use(word(context, 0, 'The name'));
    context.output.value({ name, url }, () => context.output.line(`Commands now go to ${name}, ${url}.`));
    return Promise.resolve(0);
  },
};

export const contextRemove: Command = {
  name: 'context remove',
  usage: 'NAME',
  summary: 'Forget a server and its key',
  completes: 'context',
  examples: ['bivouac context remove local'],
  run(context) {
    const name = word(context, 0, 'The name');
    forget(name);
    context.output.value({ name }, () => context.output.line(`${name} is forgotten.`));
    return Promise.resolve(0);
  },
};
