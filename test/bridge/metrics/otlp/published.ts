/** The published schema of OTLP metrics, and whether a JSON document is one of it: no unknown field, right types. */
import { join } from 'node:path';
import protobuf from 'protobufjs';

const FOLDER = join(import.meta.dirname, '.');

function requestType(): protobuf.Type {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => join(FOLDER, target);
  root.loadSync('opentelemetry/proto/collector/metrics/v1/metrics_service.proto');
  root.resolveAll();
  return root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest');
}

export const published = requestType();

/** What of `value` the schema does not know, by path. */
export function strangers(type: protobuf.Type, value: object, path = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    const field = type.fields[name];
    const at = `${path}.${name}`;
    if (field === undefined) return [at];
    if (field.repeated !== Array.isArray(child)) return [`${at} is ${field.repeated ? 'no' : 'a'} list`];
    const items: readonly unknown[] = Array.isArray(child) ? child : [child];
    return items.flatMap((item, index) => wrongIn(field, item, `${at}[${index}]`));
  });
}

function wrongIn({ resolvedType, type }: protobuf.Field, item: unknown, at: string): readonly string[] {
  if (resolvedType instanceof protobuf.Type)
    return typeof item === 'object' && item !== null ? strangers(resolvedType, item, at) : [`${at} is no message`];
  if (resolvedType instanceof protobuf.Enum)
    return resolvedType.valuesById[Number(item)] === undefined ? [`${at} is no ${resolvedType.name}`] : [];
  // The JSON mapping writes 64-bit integers as text.
  const wanted = type === 'string' || type.endsWith('64') ? 'string' : type === 'bool' ? 'boolean' : 'number';
  return typeof item === wanted ? [] : [`${at} is ${typeof item}, not ${wanted}`];
}
