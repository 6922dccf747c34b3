import { CHECKS } from './checks.js';
import { openRepository } from './open-repository.js';

const repository = openRepository(process.cwd());
const findings = CHECKS.flatMap((check) =>
  check.run(repository).map((finding) => ({ ...finding, check: check.name })),
);

for (const { path, line, check, message } of findings) console.log(`${path}:${line} ${check}: ${message}`);
console.log(
  findings.length === 0
    ? `${CHECKS.length} checks over ${repository.paths.length} files: nothing found`
    : `${CHECKS.length} checks over ${repository.paths.length} files: ${findings.length} found`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
