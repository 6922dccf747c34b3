import { kitConfigShape, portVariable } from '@gatehouse/features/app/config';

/** The variables api-main reads. */
export const configShape = { ...kitConfigShape, PORT: portVariable.default(4000) };
