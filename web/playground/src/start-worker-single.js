// The Worker of the page that is one file: within it.
import Inlined from 'carom/explore-worker-inline?worker&inline';

export const startWorker = () => new Inlined();
