// Logs in with the published client library and posts one request, as a program of a Pod's owner would.
import { Session } from "@inrupt/solid-client-authn-node";

const [issuer, id, secret, url, body] = process.argv.slice(2);
const session = new Session();
await session.login({ clientId: id, clientSecret: secret, oidcIssuer: issuer, tokenType: "DPoP" });
const answer = await session.fetch(url, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body,
});
console.log(JSON.stringify({ webId: session.info.webId, status: answer.status, body: await answer.json() }));
process.exit(0);
