import './provided-context.js';

export { findNginx } from './find-nginx.js';
export { findProgram } from './find-program.js';
export { findPython } from './find-python.js';
export { type ProcessFigures, readProcessFigures } from './process-figures.js';
export { startDatabaseServer } from './start-database-server.js';
export { type GaleraCluster, type GaleraNode, startGaleraCluster } from './start-galera-cluster.js';
export { startHaproxy } from './start-haproxy.js';
export { type LossyLink, startLossyLink } from './start-lossy-link.js';
export { type RunningPrometheus, startPrometheus } from './start-prometheus.js';
export { startProxy } from './start-proxy.js';
export { type SlowLink, startSlowLink } from './start-slow-link.js';
