'use strict';
// Loaded by NODE_OPTIONS before a program: has Node's own fetch use the proxy that HTTPS_PROXY and HTTP_PROXY name, as
// NODE_USE_ENV_PROXY does from Node 22.21 and 24.5 on. Nothing is done before the first fetch. The class that carries
// fetch's connections is Node's own; only how it connects is said here.
const [major, minor] = process.versions.node.split('.').map(Number);
const knowsProxies = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

function proxyFor(protocol) {
  const { env } = process;
  const named = protocol === 'https:' ? env.HTTPS_PROXY || env.https_proxy : env.HTTP_PROXY || env.http_proxy;
  try {
    return named ? new URL(named) : undefined;
  } catch {
    return undefined;
  }
}

function isExcepted(host) {
  const names = (process.env.NO_PROXY || process.env.no_proxy || '').split(',');
  return names.map((name) => name.trim().toLowerCase()).some((name) => name !== '' && (name === '*' || host === name || host.endsWith(name.startsWith('.') ? name : `.${name}`)));
}

function connect({ hostname, port, protocol, servername }, done) {
  const net = require('node:net');
  const http = require('node:http');
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const at = Number(port) || (protocol === 'https:' ? 443 : 80);
  const proxy = isExcepted(host) ? undefined : proxyFor(protocol);
  if (proxy === undefined) {
    const socket = net.connect(at, host);
    socket.once('error', done);
    socket.once('connect', () => carried(socket));
    return;
  }
  const target = `${net.isIPv6(host) ? `[${host}]` : host}:${at}`;
  const asking = http.request({
    host: proxy.hostname,
    port: proxy.port || 80,
    method: 'CONNECT',
    path: target,
    agent: false,
    headers: { host: target, 'user-agent': `node/${process.versions.node}` },
  });
  asking.once('error', done);
  asking.once('connect', (answer, socket) => {
    if (answer.statusCode === 200) return carried(socket);
    socket.destroy();
    return done(new Error(`${answer.statusCode} ${answer.statusMessage}`));
  });
  asking.end();

  function carried(socket) {
    socket.removeListener('error', done);
    if (protocol !== 'https:') return done(null, socket.setNoDelay(true));
    const secure = require('node:tls').connect({ socket, servername: servername || (net.isIP(host) ? undefined : host), ALPNProtocols: ['http/1.1'] });
    secure.once('error', done);
    secure.once('secureConnect', () => {
      secure.removeListener('error', done);
      done(null, secure);
    });
  }
}

if (!knowsProxies && typeof globalThis.fetch === 'function' && (proxyFor('https:') || proxyFor('http:'))) {
  const plain = globalThis.fetch;
  let prepared = false;
  const prepare = () => {
    prepared = true;
    // Has Node load what fetch is made of, and with it the class of its dispatcher.
    void new Headers();
    const present = globalThis[DISPATCHER];
    // A program that has set its own is left alone.
    if (present?.constructor?.name === 'Agent') globalThis[DISPATCHER] = new present.constructor({ connect });
  };
  globalThis.fetch = function fetch(input, init) {
    if (!prepared) prepare();
    return plain(input, init);
  };
}
