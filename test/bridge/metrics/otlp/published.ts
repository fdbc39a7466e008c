/**
 * The part of OTLP for metrics that is sent, by the names, numbers and types of its published protocol buffers (version 1),
 * and whether a JSON document is of it: no unknown field, right types.
 */
import protobuf from 'protobufjs';

type Field = readonly [id: number, type: string, rule?: 'repeated'];

const message = (fields: Readonly<Record<string, Field>>): protobuf.IType => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [id, type, rule]]) => [
      name,
      rule === undefined ? { id, type } : { id, type, rule },
    ]),
  ),
});
const list = (id: number, type: string): Field => [id, type, 'repeated'];
const times: Readonly<Record<string, Field>> = { startTimeUnixNano: [2, 'fixed64'], timeUnixNano: [3, 'fixed64'] };

const root = protobuf.Root.fromJSON({
  nested: {
    Temporality: { values: { UNSPECIFIED: 0, DELTA: 1, CUMULATIVE: 2 } },
    Request: message({ resourceMetrics: list(1, 'ResourceMetrics') }),
    ResourceMetrics: message({ resource: [1, 'Resource'], scopeMetrics: list(2, 'ScopeMetrics') }),
    Resource: message({ attributes: list(1, 'KeyValue') }),
    ScopeMetrics: message({ scope: [1, 'Scope'], metrics: list(2, 'Metric') }),
    Scope: message({ name: [1, 'string'], version: [2, 'string'] }),
    Metric: message({
      name: [1, 'string'],
      description: [2, 'string'],
      unit: [3, 'string'],
      gauge: [5, 'Gauge'],
      sum: [7, 'Sum'],
      histogram: [9, 'Histogram'],
    }),
    Gauge: message({ dataPoints: list(1, 'NumberPoint') }),
    Sum: message({
      dataPoints: list(1, 'NumberPoint'),
      aggregationTemporality: [2, 'Temporality'],
      isMonotonic: [3, 'bool'],
    }),
    Histogram: message({ dataPoints: list(1, 'HistogramPoint'), aggregationTemporality: [2, 'Temporality'] }),
    NumberPoint: message({ ...times, asDouble: [4, 'double'], attributes: list(7, 'KeyValue') }),
    HistogramPoint: message({
      ...times,
      count: [4, 'fixed64'],
      sum: [5, 'double'],
      bucketCounts: list(6, 'fixed64'),
      explicitBounds: list(7, 'double'),
      attributes: list(9, 'KeyValue'),
    }),
    KeyValue: message({ key: [1, 'string'], value: [2, 'AnyValue'] }),
    AnyValue: message({ stringValue: [1, 'string'] }),
  },
});
root.resolveAll();

export const published = root.lookupType('Request');

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
