// Gives the verdict of the published verifier on each login of a corpus: null, or why not.
import { createSolidTokenVerifier } from "@solid/access-token-verifier";
import { readFileSync } from "node:fs";

const verify = createSolidTokenVerifier();
const verdicts = [];
for (const login of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    await verify(`DPoP ${login.token}`, { header: login.proof, method: login.method, url: login.url });
    verdicts.push(null);
  } catch (refusal) {
    verdicts.push(String(refusal?.message ?? refusal).slice(0, 300) || "refused");
  }
}
console.log(JSON.stringify(verdicts));
process.exit(0);
