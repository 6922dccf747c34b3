/**
 * A bcrypt hash of cost 10 made from 48 random bytes that were thrown away: what a login compares
 * with where there is no member, so that it takes as long as where there is one.
 */
export const dummyHash = '$2b$10$UrvwKCEX1Yz7/Pwta/FRquGSp0h6xGypotA0.ImyLUNLzzwH5MrOu';
