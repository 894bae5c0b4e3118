ALTER TABLE seal RENAME TO table_checksum;
