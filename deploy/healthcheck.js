// Exit 0 while the session of this container answers and its kill switch is off. It asks the port of the metrics, which
// asks the session: a session that stands still does not answer.
import { get } from 'node:http';

const port = Number(process.env.TIDEWIRE_METRICS_PORT ?? 9464);
const fail = (reason) => {
  process.stderr.write(`unhealthy: ${reason}\n`);
  process.exit(1);
};

const request = get({ host: '127.0.0.1', port, path: '/metrics', timeout: 4_000 }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (part) => (text += part));
  response.on('end', () => {
    const killed = /^tidewire_killed\{[^}]*\} (\d)$/m.exec(text)?.[1];
    if (response.statusCode !== 200 || killed === undefined) fail(`status ${response.statusCode}`);
    if (killed === '1') fail('the kill switch is on');
    process.exit(0);
  });
});
request.on('timeout', () => fail('no answer within 4 s'));
request.on('error', (error) => fail(error.code ?? error.message));
