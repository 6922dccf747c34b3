import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';

export interface SpectralFinding {
  readonly rule: string;
  /** Such as `post /login`; empty outside operations. */
  readonly operation: string;
  readonly message: string;
}

const ERROR = 0;

/** Loaders represent the default export of a CommonJS module differently. */
const owaspRules: RulesetDefinition = 'default' in owasp ? owasp.default : owasp;

/** What Spectral finds in a document: of its own rules every error and warning, of its OWASP rules the errors. */
export async function spectralFindings(
  document: OpenApiDocument,
): Promise<Readonly<Record<'oas' | 'owasp', readonly SpectralFinding[]>>> {
  const spectral = new Spectral();
  spectral.setRuleset({
    // The declaration of `oas` is of what the build made of it, which lost the type.
    extends: [
      [oas as unknown as RulesetDefinition, 'recommended'],
      [owaspRules, 'all'],
    ],
    // Redocly compares each example with its schema in a fifth of the time.
    rules: { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' },
  });
  const results = await spectral.run(document as unknown as Record<string, unknown>);
  const found = results.map(({ code, severity, path: [root, path, method], message }) => ({
    rule: String(code),
    severity: Number(severity),
    operation: root === 'paths' ? `${String(method)} ${String(path)}` : '',
    message,
  }));
  const isOwasp = ({ rule }: SpectralFinding) => rule.startsWith('owasp:');
  return {
    oas: found.filter((each) => !isOwasp(each)),
    owasp: found.filter((each) => isOwasp(each) && each.severity === ERROR),
  };
}
