import { configShape, portVariable } from '@gatehouse/features/core/config';

/** The variables api-admin reads. */
export const adminConfigShape = { ...configShape, PORT: portVariable.default(4001) };
