/** The parts of an install command. They must not contain a quote. */
export interface InstallCommandParts {
  /** The origin under which the host reaches the API. */
  readonly origin: string;
  readonly token: string;
  /** SHA-256 of the served script, hexadecimal. */
  readonly scriptSha256: string;
  /** Whether the operator allows an origin without TLS. */
  readonly allowPlainHttp: boolean;
}

/**
 * One line for a root shell. It fetches the agent with curl or wget, runs it only if it is the script that this server
 * serves now, and lets it install itself and enrol. The token is passed in the environment, because every user of a
 * host can read command lines. PLIMSOLL_CA_FILE, if set, names the authority that the server's certificate is checked
 * with.
 */
export function installCommand(parts: InstallCommandParts): string {
  const { origin, token, scriptSha256, allowPlainHttp } = parts;
  const url = `'${origin}/api/v1/agent/script'`;
  const authority = (option: string) => `\${PLIMSOLL_CA_FILE:+${option}"$PLIMSOLL_CA_FILE"}`;
  // Before the script is compared, whatever the server sends is stored: at most 2 MB.
  const fetchScript = [
    'ulimit -f 2048',
    `if command -v curl >/dev/null; then curl -fsS ${authority('--cacert ')} -o "$f" ${url}`,
    `elif command -v wget >/dev/null; then wget -q ${authority('--ca-certificate=')} -O "$f" ${url}`,
    `else echo '${noClient}' >&2; false`,
    'fi',
  ].join('; ');
  const checkScript = `echo "${scriptSha256}  $f" | sha256sum -c - >/dev/null 2>&1 || { echo '${otherScript}' >&2; false; }`;
  const options = allowPlainHttp ? '--allow-plain-http ' : '';
  const install = `PLIMSOLL_TOKEN='${token}' sh "$f" install ${options}'${origin}'`;
  return `(f=$(mktemp) && (${fetchScript}) && { ${checkScript}; } && ${install}; s=$?; rm -f "$f"; exit $s)`;
}

const noClient =
  'plimsoll: neither curl nor wget is installed here, and the agent needs one of them: apt-get install curl ca-certificates';
const otherScript =
  'plimsoll: the script was not run, because it differs from the one that this command expects. Either it was changed in transit, or the server was updated since: create a new command.';
