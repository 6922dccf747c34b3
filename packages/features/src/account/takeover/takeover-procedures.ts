import { decide } from './decide.js';
import { list } from './list.js';

/** What an owner decides who has proved their address after somebody else had registered it. */
export const takeoverProcedures = { decide, list };
