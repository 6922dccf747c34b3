const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;

/**
 * Whether a stored value is a bcrypt hash: `$2a$`, `$2b$` or `$2y$`, 60 characters, cost 4 to 15. What
 * claims a higher cost is somebody's plain text made to look like one, and comparing with it would keep a
 * thread busy for minutes or days.
 */
export function isPasswordHash(stored: string): boolean {
  return stored.length === 60 && BCRYPT.test(stored);
}
