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

/** The rules whose findings are not errors, which take more than half of the time. */
const owaspAdvice = Object.entries('rules' in owaspRules ? owaspRules.rules : {})
  .filter(([, rule]) => typeof rule === 'object' && 'severity' in rule && Number(rule.severity) !== ERROR)
  .map(([name]) => [name, 'off'] as const);

/** The errors Spectral's OWASP rules find in a document. */
export async function owaspErrors(document: OpenApiDocument): Promise<SpectralFinding[]> {
  return (
    await findings(document, { extends: [[owaspRules, 'all']], rules: Object.fromEntries(owaspAdvice) })
  ).filter(({ severity }) => severity === ERROR);
}

/** The errors and warnings of `spectral:oas`, the rules that Spectral has for every OpenAPI document. */
export async function oasFindings(document: OpenApiDocument): Promise<SpectralFinding[]> {
  // Their declaration describes what the build made of them, which lost the type.
  return findings(document, {
    extends: [[oas as unknown as RulesetDefinition, 'recommended']],
    // Redocly compares every example with its schema, in a fifth of the time.
    rules: { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' },
  });
}

async function findings(
  document: OpenApiDocument,
  ruleset: RulesetDefinition,
): Promise<(SpectralFinding & { severity: number })[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const results = await spectral.run(document as unknown as Record<string, unknown>);
  return results.map(({ code, severity, path: [root, path, method], message }) => ({
    rule: String(code),
    severity: Number(severity),
    operation: root === 'paths' ? `${String(method)} ${String(path)}` : '',
    message,
  }));
}
