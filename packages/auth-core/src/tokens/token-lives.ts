/** Lifetimes that are not configurable, in seconds. */
export const TOKEN_LIVES_SECONDS = {
  socialLogin: 10 * 60,
  partnerLogin: 10 * 60,
  passwordReset: 30 * 60,
  /** A password reset as well, for somebody who has none yet. */
  staffInvitation: 72 * 60 * 60,
  partner: 60 * 60,
  partnerSignIn: 5 * 60,
} as const;
