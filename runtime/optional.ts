/** A package that the user has to install is not there. The message names it and the command. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
}

/**
 * What to do when an optional package cannot be imported: `import('pg').catch(missing('pg', 'The PostgreSQL store'))`.
 * Written like this, bundlers accept that the package is not installed.
 *
 * @throws {MissingPackageError} if the package itself is missing; every other error as it is.
 */
export function missing(name: string, usedBy: string): (error: unknown) => never {
  return (error) => {
    if (!isMissing(error, name)) throw error;
    const message = `${usedBy} needs the package ${name}, which is not installed. Run: npm install ${name}`;
    throw new MissingPackageError(message, { cause: error });
  };
}

/** Whether `name` itself is missing, and not a file of it or a package that it needs. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && message.startsWith(`Cannot find package '${name}' `);
}
