// The part of JSON Schema that our schemas use, as TypeScript.

export function declaration(name, schema, named) {
  const words = schema.description ? `/** ${schema.description.replace(/\s+/g, ' ')} */\n` : '';
  if (schema.type === 'object' && schema.properties) {
    return `${words}export interface ${name} ${object(schema, named, '')}\n`;
  }
  return `${words}export type ${name} = ${type(schema, named, '')};\n`;
}

function object(schema, named, indent) {
  const required = new Set(schema.required ?? []);
  const inner = indent + '  ';
  const lines = Object.entries(schema.properties).map(([key, value]) => {
    const words = value.description ? `${inner}/** ${value.description.replace(/\s+/g, ' ')} */\n` : '';
    const label = /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`;
    return `${words}${inner}${label}${required.has(key) ? '' : '?'}: ${type(value, named, inner)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function type(schema, named, indent) {
  const core = plain(schema, named, indent);
  return schema.nullable ? `${core} | null` : core;
}

function plain(schema, named, indent) {
  if (schema.$ref) return named[schema.$ref] ?? fail(schema.$ref);
  if (schema.allOf) return schema.allOf.map((part) => type(part, named, indent)).join(' & ');
  if (schema.oneOf) return schema.oneOf.map((part) => type(part, named, indent)).join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'");
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return `Array<${type(schema.items ?? {}, named, indent)}>`;
    case 'object':
      if (schema.properties) return object(schema, named, indent);
      if (typeof schema.additionalProperties === 'object') {
        return `Record<string, ${type(schema.additionalProperties, named, indent)}>`;
      }
      return 'Record<string, unknown>';
    default:
      return 'unknown';
  }
}

function fail(reference) {
  throw new Error(`nothing is known of ${reference}`);
}
