/**
 * A bcrypt hash of cost 10 of 48 discarded random bytes. A login without a member compares with it, so that
 * it takes as long as one with a member.
 */
export const dummyHash = '$2b$10$UrvwKCEX1Yz7/Pwta/FRquGSp0h6xGypotA0.ImyLUNLzzwH5MrOu';
