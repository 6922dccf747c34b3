export const SERVICE_NAME = 'api-main';
