import { configShape, portVariable } from '@gatehouse/features/core/config';

/** The variables api-main reads. */
export const mainConfigShape = { ...configShape, PORT: portVariable.default(4000) };
