import { kitConfigShape, portVariable } from '@gatehouse/features/app/config';

/** The variables api-admin reads. */
export const configShape = { ...kitConfigShape, PORT: portVariable.default(4001) };
