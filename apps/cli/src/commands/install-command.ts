import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig, readConfigInput } from '@plimsoll/config';
import { Command } from 'commander';
import { StartError } from '../service/start-error.ts';
import { systemdUnit, writeUnit } from '../systemd/systemd-unit.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

const keys = ['feeds.download_dir', 'backup.dir', 'notifications.keys_dir'] as const;
const unitFile = '/etc/systemd/system/plimsoll.service';

type InstallFlags = ConfigFlags & { user: string; systemd?: true; print?: true; replace?: true };

/** `plimsoll install --systemd`: writes the unit that runs the whole service, and says what to run next. */
export function installCommand({ env, projectDir, say, warn }: CommandContext): Command {
  return new Command('install')
    .description('write the unit of systemd that runs the whole service')
    .option('--systemd', `write ${unitFile}`)
    .option('--user <name>', 'the unprivileged user that runs it', 'plimsoll')
    .option('--print', 'print the unit without writing it')
    .option('--replace', 'overwrite a unit that differs')
    .addOption(configOption())
    .action(async (flags: InstallFlags) => {
      if (flags.systemd !== true) throw new StartError('Say how to install: plimsoll install --systemd.');
      const place = { env, configPath: flags.config ?? null, projectDir };
      const [config, { fileName }] = await Promise.all([readConfig(place), readConfigInput(place)]);
      const absolute = (key: (typeof keys)[number] | 'audit.export_file') =>
        config[key] === null ? [] : [[key, path.resolve(projectDir, config[key])] as const];
      const dataDir = path.resolve(projectDir, config.data_dir);
      const owned = keys.flatMap(absolute);
      const exported = absolute('audit.export_file').map(([key, file]) => [key, path.dirname(file)] as const);
      const unit = systemdUnit({
        user: flags.user,
        node: process.execPath,
        projectDir,
        dataDir,
        settingsFile: fileName,
        writes: [...owned, ...exported],
        port: config['api.port'],
      });
      const left = Object.keys(env).filter((name) => /^PLIMSOLL_(?!CONFIG$|DATA_DIR$)/.test(name));
      if (left.length > 0)
        warn(`Not in the unit, only in this shell: ${left.join(', ')}. Put them into the settings file.`);
      if (flags.print === true) return say(unit.trimEnd());
      requireMachine(flags.user, projectDir);
      await writeUnit(unitFile, unit, flags.replace === true);
      say(`${unitFile} is written. Next, with the service stopped:`);
      for (const folder of new Set([dataDir, ...owned.map(([, each]) => each)]))
        say(`  mkdir -p '${folder}' && chown -R ${flags.user}: '${folder}'`);
      say('  systemctl daemon-reload\n  systemctl enable --now plimsoll\n  journalctl -fu plimsoll');
    });
}

/** Throws StartError if this machine cannot run the unit: no systemd, not root, no such user, files it cannot read. */
function requireMachine(user: string, projectDir: string): void {
  if (!existsSync('/run/systemd/system'))
    throw new StartError('systemd does not run this machine. --print prints the unit for another one.');
  if (process.getuid?.() !== 0)
    throw new StartError(`Only root can write ${unitFile}: use sudo, or --print to see the unit.`);
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, user]).stdout));
  if (!uid || !gid)
    throw new StartError(
      `There is no unprivileged user "${user}". Create it: useradd --system --user-group ${user}`,
    );
  const entry = path.join(projectDir, 'apps/cli/bin/plimsoll.mjs');
  const tried = spawnSync(process.execPath, [entry, '--version'], { uid, gid, cwd: '/' });
  if (tried.status !== 0)
    throw new StartError(
      `The user "${user}" cannot run ${process.execPath} or read ${projectDir}: move them, for example to /opt.`,
    );
}
