const BCRYPT = /^\$2[aby]\$(?:0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{53}$/;

/** Whether a stored value is a bcrypt hash (`$2a$`, `$2b$` or `$2y$`, cost 4 to 31, 60 characters). */
export function isPasswordHash(stored: string): boolean {
  return stored.length === 60 && BCRYPT.test(stored);
}
