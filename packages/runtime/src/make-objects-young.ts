import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate every object in the young generation, where garbage is cheap to collect. Otherwise V8
 * pretenures objects of a call site once enough of them survive a collection, which under load depends on
 * chance. Each then keeps its request's memory until a full collection (ADR 1). Call it before serving.
 */
export function makeObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
