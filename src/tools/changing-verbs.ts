const list = (text: string): readonly string[] => text.split(',').map((entry) => entry.trim().replaceAll(/\s+/g, ' '));

/**
 * Verbs that change something, by program, as sequences of words that follow it. A tool that runs one of them may not
 * claim to read. The list is not complete and need not be: it catches a wrong `risk_level`, it does not decide what
 * may run.
 */
export const CHANGING_VERBS: Readonly<Record<string, readonly string[]>> = {
  kubectl: list(
    `annotate, apply, attach, auth reconcile, autoscale, certificate approve, certificate deny, cordon, cp, create,
    debug, delete, drain, edit, exec, expose, label, patch, replace, rollout pause, rollout restart, rollout resume,
    rollout undo, run, scale, set, taint, uncordon`,
  ),
  docker: list(
    `build, commit, cp, create, exec, import, kill, load, pause, push, rename, restart, rm, rmi, run, start, stop,
    unpause, update, compose down, compose exec, compose kill, compose restart, compose rm, compose run, compose
    start, compose stop, compose up, container exec, container kill, container prune, container restart, container
    rm, container run, container start, container stop, image prune, image rm, network create, network prune,
    network rm, service rm, service scale, service update, stack deploy, stack rm, swarm leave, system prune, volume
    create, volume prune, volume rm`,
  ),
  helm: list('install, uninstall, delete, upgrade, rollback, push'),
  systemctl: list(
    `daemon-reload, disable, edit, enable, halt, isolate, kill, mask, poweroff, reboot, reload, reload-or-restart,
    restart, set-property, start, stop, try-restart, unmask`,
  ),
  git: list(
    `am, apply, checkout, cherry-pick, clean, commit, merge, push, rebase, reset, restore, revert, rm, stash apply,
    stash clear, stash drop, stash pop, stash push, switch`,
  ),
  terraform: list('apply, destroy, import, state rm, taint, untaint'),
  tofu: list('apply, destroy, import, state rm, taint, untaint'),
  apt: list('autoremove, full-upgrade, install, purge, remove, upgrade'),
  'apt-get': list('autoremove, dist-upgrade, install, purge, remove, upgrade'),
  yum: list('install, remove, update, upgrade'),
  dnf: list('install, remove, update, upgrade'),
  'redis-cli': list('CONFIG SET, DEL, FLUSHALL, FLUSHDB, SET, SHUTDOWN'),
};

/** Verbs that only read, by program: what may run beside a change. A list of what is known, not of all there is. */
export const READING_VERBS: Readonly<Record<string, readonly string[]>> = {
  kubectl: list(
    `get, describe, diff, explain, logs, top, version, api-resources, rollout history, rollout status, auth can-i`,
  ),
  docker: list(
    `diff, history, images, info, inspect, logs, port, ps, stats, top, version, compose ls, compose ps, container inspect,
    container ls, image inspect, image ls, network inspect, network ls, system df, system info, volume inspect, volume ls`,
  ),
  helm: list('diff, get, history, lint, list, show, status, template'),
  systemctl: list('cat, is-active, is-enabled, is-failed, list-dependencies, list-units, show, status'),
  git: list('diff, log, show, status'),
  'ansible-playbook': list('--list-hosts, --syntax-check'),
  terraform: list('plan, show, validate'),
  tofu: list('plan, show, validate'),
  nginx: list('-t'),
};

/** Options by which a program that changes something says what it would do, and does not. */
export const DRY_RUN_OPTIONS = list(
  '--dry-run=server, --dry-run=client, --dry-run, --check, --check-mode, --noop, --simulate, --just-print',
);

/** Programs that change something whatever follows. */
export const CHANGING_PROGRAMS = list(
  'chmod, chown, dd, halt, kill, killall, mkfs, mv, pkill, poweroff, reboot, rm, rmdir, shutdown, truncate',
);

/** Options that take the next item as their value, so that it is not mistaken for a verb. */
export const OPTIONS_WITH_VALUE = list(
  `-n, --namespace, --context, --cluster, --kubeconfig, --kube-context, -s, --server, --user, -H, --host, -c, -C,
    -f, --file, -p, --project-name, -M, --machine, -l, --log-level, -o, --output`,
);
