const packageName = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}$/;

/** Whether a text is the name of an rpm package, as the build systems of the distributions admit them. */
export function isRpmPackageName(name: string): boolean {
  return packageName.test(name);
}
