/** The oldest version that works; see `engines` of the root package.json. */
const oldest = [20, 19];

/** Why a version of Node.js cannot run Plimsoll, as a sentence; null if it can. Old versions must be able to parse this file. */
export function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return null;
  return `Plimsoll needs Node.js ${oldest.join('.')} or newer, best 24; this is ${version}.`;
}
