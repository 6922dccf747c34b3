import layers from './.dependency-cruiser.mjs';

/**
 * Folders that need each other in a circle. Tests of one feature use another freely, so they are left out here.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'folders-acyclic',
      scope: 'folder',
      severity: 'error',
      comment:
        'Two folders that need each other are one, or hide a third: move what both need into the one that is below, or into core/.',
      from: { path: '^(apps|packages)/' },
      to: { circular: true },
    },
  ],
  options: {
    ...layers.options,
    exclude: { path: '(^|/)dist/|\\.test\\.ts$|/src/test/|^packages/(testkit|client-sdk)/|^tooling/' },
  },
};
