import type { ToolDefinition } from '../../src/domain/types.js';
import { aTool } from '../helpers/fakes.js';

/** System, what people call it, and its nouns (`one/many: what it is`) with the verbs that there are tools for. */
const SYSTEMS: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
  [
    'github',
    'GitHub',
    [
      ['pull_request/pull_requests: proposed change with its reviews and checks', 'list get create update merge'],
      ['issue/issues: bug report or task of a repository', 'list get create update search'],
      ['workflow_run/workflow_runs: run of GitHub Actions with its jobs and logs', 'list get restart cancel'],
      ['release/releases: published version with its assets', 'list get create'],
      ['commit/commits: commit of a repository with its author and files', 'list get'],
    ],
  ],
  [
    'gitlab',
    'GitLab',
    [
      ['merge_request/merge_requests: proposed change with its approvals', 'list get create update'],
      ['pipeline/pipelines: CI pipeline with its stages', 'list get create restart cancel'],
      ['job/jobs: job of a CI pipeline with its log', 'list get restart'],
      ['project/projects: repository with its members', 'list get search'],
    ],
  ],
  [
    'jira',
    'Jira',
    [
      ['issue/issues: ticket of a project with its status and assignee', 'list get create update search delete'],
      ['comment/comments: comment on a ticket', 'list create delete'],
      ['sprint/sprints: sprint of a board', 'list get'],
    ],
  ],
  [
    'pagerduty',
    'PagerDuty',
    [
      ['incident/incidents: incident with its urgency and responders', 'list get create update'],
      ['schedule/schedules: on-call schedule, who is on call when', 'list get'],
      ['service/services: service that incidents belong to', 'list get create'],
      ['escalation_policy/escalation_policies: rules whom to notify next', 'list get'],
    ],
  ],
  [
    'slack',
    'Slack',
    [
      ['message/messages: message in a channel or thread', 'list create search delete'],
      ['channel/channels: channel with its topic and members', 'list get create'],
      ['user/users: person of the workspace', 'list get'],
    ],
  ],
  [
    'aws_ec2',
    'Amazon EC2',
    [
      [
        'instance/instances: virtual machine with its type, state and addresses',
        'list get start stop restart terminate',
      ],
      ['security_group/security_groups: firewall rules of instances', 'list get create update'],
      ['volume/volumes: block storage of instances', 'list get create delete'],
      ['snapshot/snapshots: copy of a volume', 'list create delete'],
    ],
  ],
  [
    'aws_s3',
    'Amazon S3',
    [
      ['bucket/buckets: container of objects', 'list get create delete'],
      ['object/objects: file in a bucket', 'list get create delete'],
    ],
  ],
  [
    'aws_rds',
    'Amazon RDS',
    [
      ['database/databases: managed database instance', 'list get create restart delete'],
      ['snapshot/snapshots: backup of a database', 'list create restore'],
      ['log_file/log_files: log of a database', 'list get'],
    ],
  ],
  [
    'aws_lambda',
    'AWS Lambda',
    [
      ['function/functions: serverless function with its configuration', 'list get update invoke delete'],
      ['layer/layers: shared code of functions', 'list get'],
    ],
  ],
  [
    'aws_cloudwatch',
    'Amazon CloudWatch',
    [
      ['alarm/alarms: alarm on a metric with its state', 'list get create delete'],
      ['metric/metrics: time series with its statistics', 'list get'],
      ['log_group/log_groups: group of log streams', 'list get search'],
    ],
  ],
  [
    'gcp',
    'Google Cloud',
    [
      ['instance/instances: virtual machine of Compute Engine', 'list get start stop delete'],
      ['bucket/buckets: container of objects in Cloud Storage', 'list get create'],
      ['cluster/clusters: GKE cluster with its node pools', 'list get update'],
      ['log_entry/log_entries: entry of Cloud Logging', 'list search'],
    ],
  ],
  [
    'azure',
    'Azure',
    [
      ['virtual_machine/virtual_machines: virtual machine with its power state', 'list get start stop restart'],
      ['resource_group/resource_groups: group of resources', 'list get create delete'],
      ['storage_account/storage_accounts: account that holds blobs and files', 'list get'],
    ],
  ],
  [
    'datadog',
    'Datadog',
    [
      ['monitor/monitors: monitor with its state and query', 'list get create update mute'],
      ['dashboard/dashboards: board of graphs', 'list get create'],
      ['metric/metrics: time series of hosts and services', 'list query'],
      ['log/logs: log line with its attributes', 'search'],
      ['event/events: event of the event stream', 'list get create'],
    ],
  ],
  [
    'grafana',
    'Grafana',
    [
      ['dashboard/dashboards: board of panels', 'list get create update search'],
      ['datasource/datasources: place that panels read from', 'list get'],
      ['annotation/annotations: mark on a graph', 'list create'],
      ['alert_rule/alert_rules: rule that makes alerts', 'list get create'],
    ],
  ],
  [
    'loki',
    'Loki',
    [
      ['log/logs: log stream selected by labels', 'query'],
      ['label/labels: label of log streams', 'list get'],
    ],
  ],
  [
    'elasticsearch',
    'Elasticsearch',
    [
      ['index/indices: index with its shards and mapping', 'list get create delete'],
      ['document/documents: document of an index', 'get create search delete'],
      ['node/nodes: node of the cluster with its heap and disk', 'list get'],
      ['shard/shards: shard with its state and place', 'list'],
    ],
  ],
  [
    'redis',
    'Redis',
    [
      ['key/keys: key with its type and time to live', 'list get create delete'],
      ['client/clients: connection of a client', 'list kill'],
      ['slow_query/slow_queries: entry of the slow log', 'list'],
    ],
  ],
  [
    'postgres',
    'PostgreSQL',
    [
      ['query/queries: SQL statement that runs now, with its duration', 'list cancel'],
      ['table/tables: table with its size and columns', 'list get'],
      ['lock/locks: lock that statements wait for', 'list'],
      ['replication_slot/replication_slots: slot of a replica with its lag', 'list get'],
    ],
  ],
  [
    'mysql',
    'MySQL',
    [
      ['process/processes: connection with the statement that it runs', 'list kill'],
      ['table/tables: table with its engine and size', 'list get'],
      ['replica/replicas: replica with its delay', 'list get'],
    ],
  ],
  [
    'mongodb',
    'MongoDB',
    [
      ['collection/collections: collection with its indexes', 'list get'],
      ['document/documents: document of a collection', 'get create search delete'],
      ['replica_set/replica_sets: replica set with the state of its members', 'get'],
    ],
  ],
  [
    'rabbitmq',
    'RabbitMQ',
    [
      ['queue/queues: queue with its messages and consumers', 'list get create purge delete'],
      ['exchange/exchanges: exchange with its bindings', 'list get'],
      ['connection/connections: connection of a client', 'list kill'],
    ],
  ],
  [
    'kafka',
    'Kafka',
    [
      ['topic/topics: topic with its partitions', 'list get create delete'],
      ['consumer_group/consumer_groups: group of consumers with its lag', 'list get reset'],
      ['broker/brokers: broker of the cluster', 'list get'],
    ],
  ],
  [
    'terraform',
    'Terraform',
    [
      ['workspace/workspaces: workspace with its state', 'list get create'],
      ['run/runs: plan and apply of a workspace', 'list get create cancel'],
      ['resource/resources: resource of a state', 'list get'],
    ],
  ],
  [
    'vault',
    'Vault',
    [
      ['secret/secrets: secret at a path', 'list get create delete'],
      ['policy/policies: policy of tokens', 'list get create'],
      ['lease/leases: lease of a dynamic secret', 'list renew revoke'],
    ],
  ],
  [
    'consul',
    'Consul',
    [
      ['service/services: registered service with its health checks', 'list get create delete'],
      ['key/keys: key of the key-value store', 'list get create delete'],
      ['node/nodes: member of the cluster', 'list get'],
    ],
  ],
  [
    'argocd',
    'Argo CD',
    [
      ['application/applications: application with its sync and health state', 'list get create sync restore delete'],
      ['project/projects: project of applications', 'list get'],
      ['repository/repositories: repository that applications come from', 'list get create'],
    ],
  ],
  [
    'jenkins',
    'Jenkins',
    [
      ['job/jobs: job with its last builds', 'list get create'],
      ['build/builds: build of a job with its console log', 'list get start stop'],
      ['node/nodes: agent that runs builds', 'list get'],
    ],
  ],
  [
    'sentry',
    'Sentry',
    [
      ['issue/issues: group of errors of a project', 'list get update search'],
      ['event/events: one error with its stack trace', 'list get'],
      ['release/releases: version of a project', 'list get create'],
    ],
  ],
  [
    'cloudflare',
    'Cloudflare',
    [
      ['dns_record/dns_records: DNS record of a zone', 'list get create update delete'],
      ['zone/zones: domain', 'list get purge'],
      ['firewall_rule/firewall_rules: rule of the firewall', 'list create delete'],
    ],
  ],
  [
    'confluence',
    'Confluence',
    [
      ['page/pages: page of a space', 'list get create update search'],
      ['space/spaces: space of pages', 'list get'],
    ],
  ],
  [
    'servicenow',
    'ServiceNow',
    [
      ['incident/incidents: incident record', 'list get create update'],
      ['change_request/change_requests: request for a change', 'list get create'],
    ],
  ],
  [
    'splunk',
    'Splunk',
    [
      ['search_job/search_jobs: search over indexed events', 'list get create cancel'],
      ['index/indexes: index of events', 'list get'],
      ['saved_search/saved_searches: search that is kept', 'list get create'],
    ],
  ],
  [
    'newrelic',
    'New Relic',
    [
      ['application/applications: service with its response time and error rate', 'list get'],
      ['alert_policy/alert_policies: policy of alert conditions', 'list get create'],
      ['deployment/deployments: mark of a deployment', 'list create'],
    ],
  ],
  [
    'opsgenie',
    'Opsgenie',
    [
      ['alert/alerts: alert with its priority and responders', 'list get create mute'],
      ['schedule/schedules: on-call rotation', 'list get'],
    ],
  ],
  [
    'harbor',
    'Harbor',
    [
      ['repository/repositories: repository of container images', 'list get delete'],
      ['artifact/artifacts: container image with its vulnerabilities', 'list get delete'],
    ],
  ],
  [
    'vsphere',
    'VMware vSphere',
    [
      ['virtual_machine/virtual_machines: virtual machine with its power state', 'list get start stop restart'],
      ['host/hosts: ESXi host with its load', 'list get'],
      ['datastore/datastores: storage with its free space', 'list get'],
    ],
  ],
  [
    'zabbix',
    'Zabbix',
    [
      ['host/hosts: monitored host with its items', 'list get create'],
      ['trigger/triggers: condition that makes a problem', 'list get update'],
      ['problem/problems: problem that lasts', 'list get'],
    ],
  ],
  [
    'nomad',
    'Nomad',
    [
      ['job/jobs: job with its allocations', 'list get start stop'],
      ['allocation/allocations: running task with its log', 'list get restart'],
    ],
  ],
  [
    'airflow',
    'Apache Airflow',
    [
      ['dag/dags: workflow with its schedule', 'list get start'],
      ['task_log/task_logs: log of a task', 'get'],
    ],
  ],
  [
    'etcd',
    'etcd',
    [
      ['key/keys: key with its revision', 'list get create delete'],
      ['member/members: member of the cluster', 'list get delete'],
    ],
  ],
];

/** What a verb does: its sentence, and its parameters beside the one that names the thing. */
const VERBS: Readonly<Record<string, (one: string, many: string, place: string) => string>> = {
  list: (_, many, place) => `List ${many} in ${place}, optionally filtered by state, label or time, with paging.`,
  get: (one, _, place) => `Get the details of a single ${one} in ${place} by its id.`,
  create: (one, _, place) => `Create a new ${one} in ${place}.`,
  update: (one, _, place) => `Update fields of an existing ${one} in ${place}.`,
  search: (_, many, place) => `Search ${many} in ${place} with a free-text query, newest first.`,
  query: (_, many, place) => `Run a query over ${many} in ${place} for a time range.`,
  delete: (one, _, place) => `Permanently delete a ${one} from ${place}.`,
  start: (one, _, place) => `Start a ${one} in ${place}.`,
  stop: (one, _, place) => `Stop a running ${one} in ${place}.`,
  restart: (one, _, place) => `Restart a ${one} in ${place}.`,
  cancel: (one, _, place) => `Cancel a ${one} that is running in ${place}.`,
  terminate: (one, _, place) => `Terminate a ${one} in ${place}; it cannot be started again.`,
  merge: (one, _, place) => `Merge a ${one} in ${place}.`,
  restore: (one, _, place) => `Restore or roll back a ${one} in ${place} to an earlier state.`,
  invoke: (one, _, place) => `Invoke a ${one} in ${place} with a JSON payload and return its result.`,
  mute: (one, _, place) => `Mute a ${one} in ${place} until a given time.`,
  kill: (one, _, place) => `Kill a ${one} in ${place}.`,
  purge: (one, _, place) => `Purge everything that a ${one} in ${place} holds.`,
  reset: (one, _, place) => `Reset the offsets of a ${one} in ${place}.`,
  renew: (one, _, place) => `Renew a ${one} in ${place}.`,
  revoke: (one, _, place) => `Revoke a ${one} in ${place}.`,
  sync: (one, _, place) => `Sync a ${one} in ${place} with what its repository says.`,
};

const MANY = new Set(['list', 'search', 'query']);

/** Tools such as OpenAPI descriptions and MCP servers of other systems bring along: the same ones every time. */
export const distractors: readonly ToolDefinition[] = SYSTEMS.flatMap(([system, place, nouns]) =>
  nouns.flatMap(([noun, verbs]) => {
    const [names = '', what = ''] = noun.split(': ');
    const [one = '', many = ''] = names.split('/');
    return verbs.split(' ').map((verb) => {
      const isMany = MANY.has(verb);
      const [single, several] = [one.replaceAll('_', ' '), many.replaceAll('_', ' ')];
      const sentence = VERBS[verb]?.(single, several, place) ?? '';
      const properties = isMany
        ? {
            query: { type: 'string', description: `Filter of ${several}` },
            limit: { type: 'integer', description: 'Page size' },
          }
        : { [`${one}_id`]: { type: 'string', description: `Id of the ${single}` } };
      return aTool({
        name: `${system}_${verb}_${isMany ? many : one}`,
        displayName: '',
        description: `${sentence} A ${single} is a ${what}.`,
        category: system,
        parameters: { type: 'object', properties },
      });
    });
  }),
);
