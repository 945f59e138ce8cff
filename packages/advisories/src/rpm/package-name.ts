const packageName = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}$/;

/** Whether a text is a valid rpm package name, by the rules of the distributions' build systems. */
export function isRpmPackageName(name: string): boolean {
  return packageName.test(name);
}
