// Finds the packages that install.sh has put outside of the repository.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = process.env.MCPARSE_PARTIES ?? fileURLToPath(new URL('../../../target/parties', import.meta.url));

export const load = createRequire(`${folder}/`);
