import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** As strict as possible, with our tolerance of clocks. */
const PROGRAM = `
import json, sys
from onelogin.saml2.constants import OneLogin_Saml2_Constants
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.settings import OneLogin_Saml2_Settings

OneLogin_Saml2_Constants.ALLOWED_CLOCK_DRIFT = 60
known = json.loads(sys.stdin.readline())
redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
settings = OneLogin_Saml2_Settings({
    "strict": True,
    "debug": False,
    "sp": {
        "entityId": known["ourEntityId"],
        "assertionConsumerService": {"url": known["acsUrl"], "binding": post},
        "NameIDFormat": "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
    },
    "idp": {
        "entityId": known["issuer"],
        "singleSignOnService": {"url": "https://idp.example/sso", "binding": redirect},
        "x509cert": known["certificate"],
    },
    "security": {
        "wantAssertionsSigned": True,
        "wantNameId": True,
        "wantAttributeStatement": True,
        "rejectDeprecatedAlgorithm": True,
        "rejectUnsolicitedResponsesWithInResponseTo": True,
    },
})
host, _, path = known["acsUrl"].split("//", 1)[1].partition("/")
request = {"https": "on", "http_host": host, "script_name": "/" + path, "get_data": {}, "post_data": {}}
for line in sys.stdin:
    told = {"error": None, "nameId": None, "attributes": {}}
    try:
        response = OneLogin_Saml2_Response(settings, json.loads(line))
        if response.is_valid(request, known["requestId"]):
            told["nameId"] = response.get_nameid()
            told["attributes"] = response.get_attributes()
        else:
            told["error"] = response.get_error() or "refused"
    except Exception as error:
        told["error"] = type(error).__name__ + ": " + str(error)
    print(json.dumps(told), flush=True)
`;

const verdict = z.object({
  /** Why it refuses; null if it accepts. */
  error: z.string().nullable(),
  nameId: z.string().nullable(),
  attributes: z.record(z.string(), z.array(z.string().nullable())),
});

/** The SAML toolkit of OneLogin for Python, as a service that knows an identity provider. */
export interface OneLogin extends AsyncDisposable {
  /** Its result for the field of the form. */
  judge(sent: string): Promise<z.output<typeof verdict>>;
}

export function startOneLogin(known: {
  readonly ourEntityId: string;
  readonly acsUrl: string;
  readonly issuer: string;
  /** In Base64. */
  readonly certificate: string;
  readonly requestId: string;
}): OneLogin {
  const program = spawn('/usr/bin/python3', ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const send = (value: unknown) => program.stdin.write(`${JSON.stringify(value)}\n`);
  send(known);
  return {
    async judge(sent) {
      send(sent);
      const line = await lines.next();
      if (line.done === true) throw new Error('The program ended');
      return verdict.parse(JSON.parse(line.value));
    },
    async [Symbol.asyncDispose]() {
      program.stdin.end();
      await ended;
    },
  };
}
