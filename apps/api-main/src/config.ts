import { kitConfigShape, portVariable } from '@gatehouse/api-kit';

/** The variables api-main reads. */
export const configShape = { ...kitConfigShape, PORT: portVariable.default(4000) };
