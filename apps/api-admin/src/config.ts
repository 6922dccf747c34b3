import { kitConfigShape, portVariable } from '@gatehouse/api-kit';

/** The variables api-admin reads. */
export const configShape = { ...kitConfigShape, PORT: portVariable.default(4001) };
